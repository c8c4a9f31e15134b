# The first half of the unit tests' suites: two processes share them.
exec tests/unit -p 1/2
