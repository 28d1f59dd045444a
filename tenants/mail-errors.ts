/** As nodemailer throws it: `responseCode` of an answer, `syscall` and `timeoutType` of the connection. */
type MailError = { code?: string; responseCode?: number; syscall?: string; timeoutType?: string }

/** Whether the mail server permanently refused the address or the message. */
export function isRefused(error: unknown): boolean {
  const { code, responseCode } = error as MailError
  return (responseCode ?? 0) >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

/** Whether the mail server certainly didn't take the message: it answered so, or there never was a connection. */
export function wasNotTaken(error: unknown): boolean {
  const { code, responseCode, syscall, timeoutType } = error as MailError
  const wasNeverConnected =
    code === 'EDNS' || syscall === 'connect' || (timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT')
  return responseCode !== undefined || wasNeverConnected
}
