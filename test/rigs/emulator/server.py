"""moto's server, with what the service's stacks need of CloudFormation and moto lacks.

python server.py PORT. Tables, secrets, functions with versions and aliases, roles, the REST API with its resources and
methods, queues, topics, log groups and schedules come to life in moto. What PLACEHOLDERS names gets a name that others
can refer to, and nothing more. moto warns on stderr of any other type.
"""

import sys

import functions  # noqa: F401
import placeholders  # noqa: F401
import secret  # noqa: F401
import stacks  # noqa: F401
import tables  # noqa: F401
from moto.server import main

if __name__ == "__main__":
    # By this name, and not by its number, moto finds the templates that it is sent by address.
    main(["-H", "localhost", "-p", sys.argv[1]])
