"""python -m paimon_bridge.cli"""

from paimon_bridge.cli import main

main()
