import cluster, { type Worker } from 'node:cluster'
import { z } from 'zod'
import { AppError } from '#app/lib/errors.ts'

const ProcessMetrics = z.object({
  requests: z.array(z.object({ method: z.string(), route: z.string(), status: z.number(), count: z.number() })),
  /** `counts`: the requests of each bucket and of those below it. `sum`: seconds. */
  durations: z.array(z.object({ route: z.string(), counts: z.array(z.number()), sum: z.number(), count: z.number() })),
  cpuSeconds: z.number(),
  residentBytes: z.number(),
  /** Unix time in seconds. */
  startedAt: z.number(),
  /** Null without a replica. */
  replica: z
    .object({
      isUsed: z.boolean(),
      lagSeconds: z.number().nullable(),
      reads: z.object({ replica: z.number(), primary: z.number() }),
    })
    .nullable(),
})
/** The counts of one process since its start. */
export type ProcessMetrics = z.infer<typeof ProcessMetrics>
/** `process`: such as 'web-1'; null if the product is a single process. */
const NamedMetrics = ProcessMetrics.extend({ process: z.string().nullable() })
export type NamedMetrics = z.infer<typeof NamedMetrics>

// A web process sends `request-all` to its supervisor, which sends `request` to all processes and passes on their
// responses.
const Message = z.discriminatedUnion('metrics', [
  z.object({ metrics: z.literal('request-all'), id: z.number() }),
  z.object({ metrics: z.literal('request'), id: z.number() }),
  z.object({ metrics: z.literal('response'), id: z.number(), own: ProcessMetrics }),
  z.object({ metrics: z.literal('response-all'), id: z.number(), all: z.array(NamedMetrics) }),
])
type Message = z.infer<typeof Message>
/** Null for all other messages, and those of another version of the product. */
const toMessage = (received: unknown): Message | null => Message.safeParse(received).data ?? null

/** Milliseconds after which a process that doesn't respond is left out. */
const processMs = 1_000
const supervisorMs = 2_000

export function readProcessMetrics(): Pick<ProcessMetrics, 'cpuSeconds' | 'residentBytes' | 'startedAt'> {
  const { user, system } = process.cpuUsage()
  return {
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
    startedAt: performance.timeOrigin / 1000,
  }
}

/** Lets the supervisor, if there is one, ask for the metrics of this process. */
export function shareMetrics(read: () => Promise<ProcessMetrics>): void {
  if (!cluster.isWorker) return
  process.on('message', async (received) => {
    const message = toMessage(received)
    if (message?.metrics !== 'request') return
    process.send!({ metrics: 'response', id: message.id, own: await read() } satisfies Message)
  })
}

let lastId = 0
let collecting: Promise<NamedMetrics[]> | null = null

/** Those who ask while others are waiting get the same. */
const collectOnce = (collect: () => Promise<NamedMetrics[]>): Promise<NamedMetrics[]> =>
  (collecting ??= collect().finally(() => {
    collecting = null
  }))

/**
 * Returns the metrics of all processes of the supervisor, or else of this one. Throws unavailable if the supervisor
 * doesn't respond.
 */
export async function collectMetrics(read: () => Promise<ProcessMetrics>): Promise<NamedMetrics[]> {
  return cluster.isWorker ? collectOnce(requestAll) : [{ process: null, ...(await read()) }]
}

function requestAll(): Promise<NamedMetrics[]> {
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const onMessage = (received: unknown) => {
      const message = toMessage(received)
      if (message?.metrics === 'response-all' && message.id === id) end(() => resolve(message.all))
    }
    const fail = () => reject(new AppError('unavailable', 'The supervisor sent no metrics.'))
    const timer = setTimeout(() => end(fail), supervisorMs)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      process.off('message', onMessage)
      settle()
    }
    process.on('message', onMessage)
    process.send!({ metrics: 'request-all', id } satisfies Message)
  })
}

/** Sends a process the metrics of all when it asks for them. `list` returns the processes that serve, by name. */
export function sendMetrics(child: Worker, list: () => Map<string, Worker>): void {
  child.on('message', async (received) => {
    const message = toMessage(received)
    if (message?.metrics !== 'request-all') return
    const all = await collectOnce(async () => {
      const responses = await Promise.all([...list()].map(([name, other]) => requestOne(name, other)))
      return responses.filter((response) => response !== null)
    })
    if (child.isConnected()) child.send({ metrics: 'response-all', id: message.id, all } satisfies Message)
  })
}

/** Null if the process doesn't respond in time. */
function requestOne(name: string, child: Worker): Promise<NamedMetrics | null> {
  const id = ++lastId
  return new Promise((resolve) => {
    const onMessage = (received: unknown) => {
      const message = toMessage(received)
      if (message?.metrics === 'response' && message.id === id) end({ process: name, ...message.own })
    }
    const timer = setTimeout(() => end(null), processMs)
    const end = (own: NamedMetrics | null) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      resolve(own)
    }
    child.on('message', onMessage)
    if (child.isConnected()) child.send({ metrics: 'request', id } satisfies Message)
    else end(null)
  })
}
