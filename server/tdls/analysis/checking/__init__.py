"""From rules to findings: selection of rules, suppression, order of the findings, baselines."""
