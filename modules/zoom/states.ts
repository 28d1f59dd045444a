/** How a connection works. `failing`: for half an hour or longer. `needs_reconnect`: Zoom has ended it. */
export const connectionStates = ['connected', 'failing', 'needs_reconnect'] as const
export type ConnectionState = (typeof connectionStates)[number]
