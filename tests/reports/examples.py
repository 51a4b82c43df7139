"""Report dicts to render."""

from autograder.report import SCHEMA


def check(id, status, score, of, **more):
    return {"id": id, "title": f"what {id} asks for", "status": status, "score": score,
            "max_score": of, **more}


RUNS = check("runs", "passed", 1.0, 1.0)

LINEAR = {
    "schema": SCHEMA, "assignment": "linear", "submission": "linear.ipynb", "score": 4.0,
    "max_score": 10.0,
    "checks": (
        RUNS,
        check("loss-falls", "failed", 0.0, 2.0, because=["broadcast"]),
        check("converges", "not-judged", 0.0, 3.0, needs="loss-falls"),
        check("own-graph", "failed", 0.0, 3.0, because=["graph-reuse"]),
        check("fresh-gradients", "passed", 1.0, 1.0),
    ),
    "diagnoses": (
        {"code": "graph-reuse", "message": "every backward pass goes back through operations "
         "recorded once, before the loop", "why": "a step's graph is torn down by its own pass",
         "ask": "which tensors do you want to train?",
         "where": {"cell": 2, "line": 6, "text": "    Y = X @ w + b"},
         "evidence": {"passes": 24, "passes_with_old_operations": 23, "old_operations_last": 3},
         "related": [{"note": "this backward pass runs them again",
                      "where": {"cell": 3, "line": 15, "text": "        loss.backward()"}}]},
        {"code": "broadcast", "message": "shapes (32, 1) and (32,) are broadcast",
         "why": "each prediction is compared with every label", "ask": "what shapes?",
         "where": {"cell": 3, "line": 4, "text": "    loss = (模型(x) - y)**2  # 平方\t误差"},
         "evidence": {"times": 12}},
    ),
    "environment": {"torch": "2.13.0", "device": "cpu", "python": "3.11", "grading": "abc",
                    "sandbox": "process"},
}

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\x1b[2J\u202e"
EVIL = {
    **LINEAR, "submission": HOSTILE + ".py",
    "diagnoses": (
        {"code": "crash", "message": f"it stops with Boom: {HOSTILE}", "why": "w", "ask": "a",
         "where": {"line": 1, "text": f'x = "{HOSTILE}"'},
         "evidence": {"error": "Boom", "torch_says": HOSTILE, "during": "start-8675309"},
         "related": [{"note": "used here", "where": {"line": 9, "text": HOSTILE}}]},
    ),
}
