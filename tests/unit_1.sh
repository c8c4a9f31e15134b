# Suites 1, 5, ... of the unit tests: four processes share them.
exec tests/unit -p 1/4
