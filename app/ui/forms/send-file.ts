/** How far an upload has come. `received` and `size`: bytes. */
export type UploadState = { id: number; size: number; received: number; partSize: number; isComplete: boolean }
export type Watch = {
  signal: AbortSignal
  /** 0 to 100 */
  onProgress: (percent: number) => void
  /** Why it waits before it tries again, as text for the user; null when it goes on. */
  onWaiting: (reason: string | null) => void
}

/** The server refused the file: sending it again doesn't help. */
export class UploadRefused extends Error {
  override name = 'UploadRefused' as const
}
/** Its message says why the upload waits. */
class LineBroken extends Error {}

const interrupted = 'The connection is interrupted. The upload goes on by itself.'
const [firstPauseMs, longestPauseMs] = [1_000, 15_000]

/**
 * Sends a file in parts, and returns the id of the complete upload. It waits while the line is broken, and goes on with
 * the same file after a reload. Sends nothing again until a record has taken the upload. Throws UploadRefused.
 */
export async function sendFile(file: File, watch: Watch): Promise<number> {
  let pause = firstPauseMs
  let upload: UploadState | null = null
  while (!upload?.isComplete) {
    watch.signal.throwIfAborted()
    try {
      upload = upload ? await sendPart(file, upload, watch) : await findOrCreate(file, watch.signal)
      watch.onWaiting(null)
      watch.onProgress((upload.received / upload.size) * 100)
      pause = firstPauseMs
    } catch (error) {
      if (!(error instanceof LineBroken)) throw error
      watch.onWaiting(error.message)
      await waitForLine(pause, watch.signal)
      pause = Math.min(pause * 2, longestPauseMs)
      // The answer may have been lost on its way: ask how far it came.
      upload = upload ? await ask(upload.id, watch.signal).catch(() => upload) : null
    }
  }
  return upload.id
}

/** Gives up the upload of a file that was begun. */
export async function cancelFile(file: File): Promise<void> {
  const id = readId(file)
  forget(file)
  if (id) await fetch(`/api/uploads/${id}`, { method: 'DELETE' }).catch(() => {})
}

async function findOrCreate(file: File, signal: AbortSignal): Promise<UploadState> {
  const begun = await findBegun(file, signal)
  if (begun) return begun
  const upload = await call('POST', '/api/uploads', { name: file.name, size: file.size }, signal)
  localStorage.setItem(toKey(file), String(upload.id))
  return upload
}

/** Also forgets the uploads that have expired, or that a record has taken. */
async function findBegun(file: File, signal: AbortSignal): Promise<UploadState | null> {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(keyPrefix))
  if (!keys.length) return null
  const open = await call<UploadState[]>('GET', '/api/uploads', undefined, signal).catch((error: unknown) => {
    if (error instanceof UploadRefused) return null
    throw error
  })
  if (!open) return null
  for (const key of keys)
    if (!open.some(({ id }) => id === Number(localStorage.getItem(key)))) localStorage.removeItem(key)
  return open.find(({ id }) => id === readId(file)) ?? null
}

/** Null if it has expired, or a record has taken it. */
async function ask(id: number, signal: AbortSignal): Promise<UploadState | null> {
  return call('GET', `/api/uploads/${id}`, undefined, signal).catch((error: unknown) => {
    if (error instanceof UploadRefused) return null
    throw error
  })
}

// The same file after a reload: a browser tells no more about it.
// It is kept as a hash, because the name may say something about a client.
const keyPrefix = 'upload:'
const toKey = ({ name, size, lastModified }: File): string =>
  `${keyPrefix}${hashText(`${name}:${size}:${lastModified}`)}`
const hashText = (text: string): string => {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let index = 0; index < text.length; index++) {
    high = Math.imul(high ^ text.charCodeAt(index), 2654435761)
    low = Math.imul(low ^ text.charCodeAt(index), 1597334677)
  }
  return `${(high >>> 0).toString(36)}${(low >>> 0).toString(36)}`
}
const readId = (file: File): number => Number(localStorage.getItem(toKey(file)))
const forget = (file: File): void => localStorage.removeItem(toKey(file))

async function call<Answer = UploadState>(
  method: string,
  url: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    signal,
    ...(body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}),
  }).catch(() => {
    signal.throwIfAborted()
    throw new LineBroken(interrupted)
  })
  return readAnswer<Answer>(response.status, await response.text())
}

function readAnswer<Answer = UploadState>(status: number, text: string): Answer {
  if (status >= 200 && status < 300) return JSON.parse(text) as Answer
  let message: string | undefined
  try {
    message = (JSON.parse(text) as { message: string }).message
  } catch {}
  // The storage of files has no room, or doesn't answer.
  if (status === 503 && message) throw new LineBroken(message)
  // 409: the server is at another part than we think. 422: a part was cut off.
  if (status === 0 || status >= 500 || [408, 409, 422, 429].includes(status)) throw new LineBroken(interrupted)
  throw new UploadRefused(message ?? 'The file could not be sent. Try again.')
}

/** By XMLHttpRequest, because `fetch` doesn't tell how much it has sent. */
function sendPart(file: File, { id, received, size, partSize }: UploadState, watch: Watch): Promise<UploadState> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    watch.signal.addEventListener('abort', abort, { once: true })
    request.upload.onprogress = ({ loaded }) => watch.onProgress(Math.min(99, ((received + loaded) / size) * 100))
    request.onerror = () => reject(new LineBroken(interrupted))
    request.onabort = () => reject(watch.signal.reason as Error)
    request.onload = () => {
      try {
        resolve(readAnswer(request.status, request.responseText))
      } catch (error) {
        reject(error as Error)
      }
    }
    request.onloadend = () => watch.signal.removeEventListener('abort', abort)
    request.open('PUT', `/api/uploads/${id}?offset=${received}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.send(file.slice(received, received + partSize))
  })
}

/** Ends early when the browser is online again. */
function waitForLine(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    signal.addEventListener('abort', () => (done(), reject(signal.reason as Error)), { once: true })
  })
}
