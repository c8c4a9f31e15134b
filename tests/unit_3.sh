# Suites 3, 7, ... of the unit tests: four processes share them.
exec tests/unit -p 3/4
