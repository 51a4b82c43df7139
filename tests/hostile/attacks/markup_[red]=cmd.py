# says: same
print("[bold]<script>alert(1)</script>\x1b[2J=cmd|'/c calc'!A1")
