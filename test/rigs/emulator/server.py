"""The moto server, with the parts of CloudFormation that the stacks of the service need and moto lacks.

python server.py PORT OPERATORS_URL. moto emulates tables, secrets, functions with versions and aliases, roles, the REST
API with its body, queues, topics, log groups and schedules. Every other resource is a placeholder.
"""

import sys

import functions  # noqa: F401
import placeholders  # noqa: F401
import rest_api  # noqa: F401
import roles  # noqa: F401
import secret  # noqa: F401
import stacks  # noqa: F401
import tables  # noqa: F401
from moto.server import main

if __name__ == "__main__":
    # moto finds templates that it receives as URLs only under this name, not under 127.0.0.1.
    main(["-H", "localhost", "-p", sys.argv[1]])
