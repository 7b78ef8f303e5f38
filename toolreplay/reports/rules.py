"""What each kind of finding means, for reports that explain themselves."""

from typing import NamedTuple

from toolreplay.engine.findings import NON_DETERMINISM, PERMISSION_OVERREACH, REDUNDANT_CALL

BROKEN_CHAIN = "broken-chain"


class Rule(NamedTuple):
    """A kind of finding: its id, a name without dashes, what it says in short and in full, what to do about it.

    `level` says how bad it is where nobody has said what makes a run fail.
    """

    id: str
    name: str
    short: str
    full: str
    help: str
    level: str


RULES = (
    Rule(
        BROKEN_CHAIN,
        "BrokenChain",
        "A sealed file was changed after it was sealed",
        "A link of the hash chain does not have the digest that its content and the links before it give, or is not "
        "the link that was expected. What stands behind the first broken link can't be believed.",
        "Compare the file with the version that was sealed, in git history or wherever it came from. A broken chain "
        "does not say who changed it, and an intact one not that nobody cut it or sealed it again.",
        "error",
    ),
    Rule(
        NON_DETERMINISM,
        "NonDeterminism",
        "The same call got a different response",
        "A tool was called again with the same arguments and returned another response than the first time. A replay "
        "of the session could not have come out the same.",
        "Find out whether the tool reads something that changes (time, network, state of other calls). Pin what it "
        "reads, record it, or accept the finding in a baseline.",
        "warning",
    ),
    Rule(
        PERMISSION_OVERREACH,
        "PermissionOverreach",
        "A call went beyond the declared scope",
        "The agent called a tool that is not among the allowed tools of the scope that it declared.",
        "If the agent needs the tool, add its exact name to allowed_tools of the scope file, and let that change be "
        "reviewed. Otherwise find out why the agent called it.",
        "error",
    ),
    Rule(
        REDUNDANT_CALL,
        "RedundantCall",
        "A call repeats the one directly before it",
        "A tool was called twice in a row with the same arguments, and nothing that could change the state happened in "
        "between.",
        "Let the agent use the response that it has. If the tool changes state itself, name it as a mutator.",
        "warning",
    ),
)
"""Every rule, sorted by id."""
