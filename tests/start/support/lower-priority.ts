import { constants, setPriority } from 'node:os'

// Lowers it for this process and those that it starts: they must not slow down the tests that measure time beside them.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
