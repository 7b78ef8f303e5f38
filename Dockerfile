# The image of the GitHub Action. The runner builds it anew at every run, with this folder as its context.
#
# A Debian release with its own Python, so that the interpreter has one fixed path and gets the release's security updates.
# A build with another BASE fetches nothing when that one holds /usr/bin/python3 (3.11 or newer) and /usr/bin/git.
ARG BASE=docker.io/library/debian:13.6-slim

FROM ${BASE} AS runtime
RUN if ! [ -x /usr/bin/python3 ] || ! [ -x /usr/bin/git ]; then \
        export DEBIAN_FRONTEND=noninteractive \
        && apt-get update \
        && apt-get install --yes --no-install-recommends git python3 \
        && rm -rf /var/lib/apt/lists/* /var/cache/apt/*; \
    fi

FROM runtime
COPY toolreplay /opt/toolreplay/toolreplay
# Under `python3 -I` imports come from the folder that is run, and from no folder of the job's.
RUN printf 'from toolreplay.action import main\n\nraise SystemExit(main())\n' >/opt/toolreplay/__main__.py

# No USER: the runner's command files and the workspace belong to whoever runs the job, and only root may write them from here.
# No shell, no search of PATH, and -I: neither PYTHON* of the job nor a module in the checkout gets to run.
ENTRYPOINT ["/usr/bin/python3", "-I", "/opt/toolreplay"]
