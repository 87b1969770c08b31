"""Random scripts about handles: compares the interpreter's diagnostic for each use with the findings of tdls.

From the folder `tests`:

- ``python -m oracle.handles --seed 1 --scripts 5000`` compares, and prints a table and the mismatches by kind;
- ``python -m oracle.handles --corpus`` does so for the corpus of runs;
- ``python -m oracle.handles --show 1:17`` prints a script with the results of both, ``--reduce 1:17`` makes it small
  first;
- ``python -m oracle.handles.facts`` measures how results lie to operands, and checks the catalogue's relations.

`payload`, `machine` and `rewrites` model the effects of scripts, `scripts` writes them. Their forms are in
`navigation`, `values`, `combining` and `reading` (nothing is consumed), `consuming` and `changing`, `regions`, `calls`,
`matching`. `worker` and `facts_worker` run scripts; `runs` and `findings` have the results of either side; `comparison`
and `report` tell how that agrees. `cases` lists why it may not, and `doubts` finds out which case there is, with
`variants` of scripts on other payloads, `reduction` and `origins`.
"""
