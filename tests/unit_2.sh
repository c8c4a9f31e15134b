# Suites 2, 6, ... of the unit tests: four processes share them.
exec tests/unit -p 2/4
