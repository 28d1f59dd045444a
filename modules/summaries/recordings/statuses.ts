/**
 * `waiting`: for a worker. `submitting`: a worker sends it, or was stopped while it did. `transcribing`: Rev.ai has it.
 * `failed`: the coach may try again. `kept`: its transcript was made, and the coach keeps it for a while.
 */
export const recordingStatuses = ['waiting', 'submitting', 'transcribing', 'failed', 'kept'] as const
