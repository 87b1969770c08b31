"""Programs that build scripts, generated, with the calls behind their operations as Python itself records them."""
