import { fork, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { AppError } from '#app/lib/errors.ts'
import { createSemaphore } from '#app/lib/semaphore.ts'
import type { Pictures, RenderRequest, RenderResult } from './render-process.ts'

/** Relative to the checkout, where every process of the product starts. */
const program = path.resolve('modules/resources/previews/render-process.ts')
/** Milliseconds, for a start and two pictures. */
const timeout = 60_000
/** The next picture needs no start, and the memory is free again soon after the last one. */
const idleMs = 10_000

const busy = () => new AppError('unavailable', 'Too many previews are being made.')
const oneAtATime = createSemaphore({ slots: 1, waiting: 100, busy })
let renderer: ChildProcess | null = null
let idle: NodeJS.Timeout | undefined
let lastId = 0

/**
 * Small pictures of a picture, decoded in a process of its own without our secrets: a file that attacks the decoder
 * reaches nothing there, and one that takes too long or too much memory ends with it. Null for what can't be decoded.
 * Throws unavailable.
 */
export const renderPictures = (content: Uint8Array): Promise<Pictures | null> =>
  oneAtATime(async () => {
    clearTimeout(idle)
    try {
      const { pictures } = await request((renderer ??= startRenderer()), { id: ++lastId, content })
      idle = setTimeout(stopRenderer, idleMs).unref()
      return pictures
    } catch {
      stopRenderer()
      return null
    }
  })

function startRenderer(): ChildProcess {
  const child = fork(program, {
    env: { NODE_ENV: 'production', VIPS_BLOCK_UNTRUSTED: '1' },
    execArgv: ['--max-old-space-size=200', '--disable-warning=ExperimentalWarning'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // It doesn't keep this process from ending.
  child.unref()
  child.channel?.unref()
  child.once('exit', () => {
    if (renderer === child) renderer = null
  })
  return child
}

function stopRenderer(): void {
  renderer?.kill('SIGKILL')
  renderer = null
}

function request(child: ChildProcess, message: RenderRequest): Promise<RenderResult> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(new Error('A picture took too long.'))), timeout)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      settle()
    }
    const onMessage = (result: RenderResult) => {
      if (result.id === message.id) end(() => resolve(result))
    }
    const onExit = () => end(() => reject(new Error('The rendering process ended.')))
    const onError = (error: Error) => end(() => reject(error))
    child.on('message', onMessage).once('exit', onExit).once('error', onError)
    child.send(message)
  })
}
