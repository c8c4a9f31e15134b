# Suites 4, 8, ... of the unit tests: four processes share them.
exec tests/unit -p 4/4
