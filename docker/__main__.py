"""What the image runs. Under ``python3 -I`` imports come from this folder and from no folder of the job's."""

from toolreplay.action import main

raise SystemExit(main())
