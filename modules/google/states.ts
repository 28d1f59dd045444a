/** How a connection works. `failing`: for half an hour or longer. `needs_reconnect`: Google has ended it. */
export const connectionStates = ['connected', 'failing', 'needs_reconnect'] as const
export type ConnectionState = (typeof connectionStates)[number]

/** Why Google Meet could not be read. */
export const meetErrors = ['busy', 'down', 'garbage', 'refused'] as const
export type MeetError = (typeof meetErrors)[number]
