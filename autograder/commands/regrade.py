"""`autograder regrade OUT --grading new.yml`."""

from __future__ import annotations

from pathlib import Path

import click

from autograder.commands import options


@click.command("regrade")
@click.argument("out", type=click.Path(path_type=Path, file_okay=False))
@options.grading_file
@click.option("-n", "--dry-run", is_flag=True, help="Only say what would change.")
def command(out: Path, grading_path: Path | None, dry_run: bool) -> None:
    """Score the results in OUT anew from what was seen, without running anyone's code.

    Lists whose score changed, and through which checks. Needed after a change of points or
    tolerances; a change of seeds, steps or limits needs `autograder grade`.
    """
    from autograder import batch
    from autograder.engines.work import Outcome, Terms
    from autograder.handins import Doubt
    from autograder.messages import Messages
    from autograder.publishing import INDEX, Batch, last_run, publish, reviewed
    from autograder.regrading import Stale, Stored, change, regrade
    from autograder.reports import student
    from autograder.store import Store, key

    options.existing(out)
    grading = options.read_grading(grading_path)
    store = Store(out)
    run = last_run(store)
    if run is None:
        raise click.UsageError(f"{out} is not a finished batch: there is no run.json in it; "
                               "run autograder grade first.")
    rows, changes, stale = [], [], []
    for entry in run["submissions"]:
        handin = batch.handin_of(entry)
        if not entry["assignment"] and entry["status"] != "unreadable":
            rows.append(batch.Row(handin.name, handin.where, handin.student,
                                  status=entry["status"]))
            continue
        try:
            old, text = store.report(handin.name), store.evidence(handin.name)
            stored = Stored.model_validate_json(text)
            graded = regrade(stored, grading)
            report = graded.report.to_plain()
        except (Stale, OSError, ValueError) as error:
            stale.append(Doubt(handin.where, f"{handin.name} must be graded again: {error}"))
            continue
        rows.append(batch.row(handin, report, grading))
        if found := change(handin.name, old, report):
            changes.append(found)
        terms = Terms(grading, stored.seed, stored.given, stored.language)
        if not dry_run:
            files = student.files(graded, grading, Messages(stored.language, grading.hints),
                                  html=(store.folder(handin.name) / student.PAGE).exists())
            store.save(Outcome(handin.name, key(stored.sha256, stored.filename, terms), report,
                               text, files=files))
    for each in changes:
        click.echo(f"{each.name}: {each.before:g} -> {each.after:g} ({'; '.join(each.why)})")
    click.echo(f"{len(changes)} of {len(rows)} scores "
               f"{'would change' if dry_run else 'changed'}")
    if stale:
        raise click.ClickException("\n".join([
            *(d.why for d in stale), "nothing was written to grades.csv: run autograder grade."]))
    if not dry_run:
        run |= {"grading": grading.digest} | batch.counted(rows)
        publish(store, Batch(rows, reviewed(store), run), Messages(run["language"]),
                html=(out / INDEX).exists())
