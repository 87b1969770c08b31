"""Abstract domain of the handle analysis: facts, sets and places of payload operations held by handles."""
