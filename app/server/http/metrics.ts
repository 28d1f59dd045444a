import { collectMetrics, readProcessMetrics, type NamedMetrics, type ProcessMetrics } from '../process/share-metrics.ts'
import { listQueuedJobs, type QueuedJobs } from '#tenants/job-queue.ts'
import type { Platform } from '#tenants/platform.ts'

/** Upper limits of the buckets, in seconds. */
const buckets = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10]

/** A handled request: its method, the pattern of its route (never its address) and status. */
export type ObservedRequest = { method: string; route: string; status: number; seconds: number }

export type Metrics = {
  observe(request: ObservedRequest): void
  /** The counts of this process. */
  read(): Promise<ProcessMetrics>
  /**
   * The metrics of all processes of this machine's supervisor, and of the job queue, in the text format of Prometheus.
   * Throws if the database is away.
   */
  format(): Promise<string>
}

export function createMetrics({ readPool, replica }: Pick<Platform, 'readPool' | 'replica'>): Metrics {
  const requests = new Map<string, ProcessMetrics['requests'][number]>()
  const durations = new Map<string, ProcessMetrics['durations'][number]>()
  const read = async () => ({
    ...readProcessMetrics(),
    requests: [...requests.values()],
    durations: [...durations.values()],
    replica: (await replica?.getState()) ?? null,
  })
  return {
    observe({ method, route, status, seconds }) {
      const key = `${method} ${route} ${status}`
      const known = requests.get(key) ?? { method, route, status, count: 0 }
      requests.set(key, known)
      known.count++
      const duration = durations.get(route) ?? { route, counts: buckets.map(() => 0), sum: 0, count: 0 }
      durations.set(route, duration)
      for (const [index, limit] of buckets.entries()) if (seconds <= limit) duration.counts[index]!++
      duration.sum += seconds
      duration.count++
    },
    read,
    async format() {
      const [queue, processes] = await Promise.all([listQueuedJobs(readPool), collectMetrics(read)])
      return [...describeProcesses(processes), ...describeJobs(queue), ''].join('\n')
    },
  }
}

/** Each process has its own series: a sum would seem to grow when one of them starts again. */
function describeProcesses(processes: NamedMetrics[]): string[] {
  const list = (toSamples: (own: NamedMetrics) => Sample[]): Sample[] =>
    processes.flatMap((own) =>
      toSamples(own).map(({ labels, ...sample }) => ({
        ...sample,
        labels: own.process === null ? labels : { process: own.process, ...labels },
      })),
    )
  const one = (pick: (own: ProcessMetrics) => number) => list((own) => [{ labels: {}, value: pick(own) }])
  return [
    ...metric(
      'process_cpu_seconds_total',
      'counter',
      'CPU time of the process.',
      one(({ cpuSeconds }) => cpuSeconds),
    ),
    ...metric(
      'process_resident_memory_bytes',
      'gauge',
      'Memory of the process.',
      one(({ residentBytes }) => residentBytes),
    ),
    ...metric(
      'process_start_time_seconds',
      'gauge',
      'When the process started.',
      one(({ startedAt }) => startedAt),
    ),
    ...metric(
      'http_requests_total',
      'counter',
      'Requests by route and status.',
      list(({ requests }) => requests.map(toSample)),
    ),
    ...metric(
      'http_request_duration_seconds',
      'histogram',
      'Time until the response, by route.',
      list(({ durations }) => durations.flatMap(toHistogram)),
    ),
    ...(processes.some(({ replica }) => replica) ? describeReplica(list) : []),
  ]
}

function describeReplica(list: (toSamples: (own: NamedMetrics) => Sample[]) => Sample[]): string[] {
  return [
    ...metric(
      'database_replica_up',
      'gauge',
      'Whether reports are read from the replica.',
      list(({ replica }) => (replica ? [{ labels: {}, value: Number(replica.isUsed) }] : [])),
    ),
    ...metric(
      'database_replica_lag_seconds',
      'gauge',
      'How far the replica is behind the primary database.',
      list(({ replica }) => (replica?.lagSeconds == null ? [] : [{ labels: {}, value: replica.lagSeconds }])),
    ),
    ...metric(
      'report_reads_total',
      'counter',
      'Reads of reports by database.',
      list(({ replica }) =>
        Object.entries(replica?.reads ?? {}).map(([database, value]) => ({ labels: { database }, value })),
      ),
    ),
  ]
}

function describeJobs(queue: QueuedJobs[]): string[] {
  return [
    ...metric(
      'jobs',
      'gauge',
      'Jobs by queue and state.',
      queue.map(({ name, state, count }) => ({ labels: { queue: name, state }, value: count })),
    ),
    ...metric('jobs_overdue_seconds', 'gauge', 'How long the oldest job of a queue has waited.', listOverdue(queue)),
  ]
}

type Labels = Record<string, string>
type Sample = { suffix?: string; labels: Labels; value: number }

const toSample = ({ method, route, status, count }: ProcessMetrics['requests'][number]): Sample => ({
  labels: { method, route, status: String(status) },
  value: count,
})

const toHistogram = ({ route, counts, sum, count }: ProcessMetrics['durations'][number]): Sample[] => [
  ...buckets.map((limit, index) => ({
    suffix: '_bucket',
    labels: { route, le: String(limit) },
    value: counts[index]!,
  })),
  { suffix: '_bucket', labels: { route, le: '+Inf' }, value: count },
  { suffix: '_sum', labels: { route }, value: sum },
  { suffix: '_count', labels: { route }, value: count },
]

function metric(name: string, type: string, help: string, samples: Sample[]): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((sample) => formatSample(name, sample))]
}

function formatSample(name: string, { suffix = '', labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`)
  return `${name}${suffix}${pairs.length ? `{${pairs.join(',')}}` : ''} ${value}`
}

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

const listOverdue = (queue: QueuedJobs[]): Sample[] =>
  [...new Set(queue.map(({ name }) => name))].map((name) => ({
    labels: { queue: name },
    value: Math.max(0, ...queue.filter((own) => own.name === name).map(({ overdue }) => overdue ?? 0)),
  }))
