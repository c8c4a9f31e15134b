# The second half of the unit tests' suites: two processes share them.
exec tests/unit -p 2/2
