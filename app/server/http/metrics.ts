import type { ReadPool } from '#db/read-pool.ts'
import { listQueuedJobs, type QueuedJobs } from '#tenants/job-queue.ts'

/** Upper limits of the buckets, in seconds. */
const buckets = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10]

/** A handled request: its method, the pattern of its route (never its address) and status. */
export type ObservedRequest = { method: string; route: string; status: number; seconds: number }

export type Metrics = {
  observe(request: ObservedRequest): void
  /** The metrics of the process and of the job queue in the text format of Prometheus. Throws if the database is away. */
  format(readPool: ReadPool): Promise<string>
}

export function createMetrics(): Metrics {
  const requests = new Map<string, { labels: Labels; count: number }>()
  const durations = new Map<string, { counts: number[]; sum: number; count: number }>()
  return {
    observe({ method, route, status, seconds }) {
      const key = `${method} ${route} ${status}`
      const known = requests.get(key) ?? { labels: { method, route, status: String(status) }, count: 0 }
      requests.set(key, known)
      known.count++
      const duration = durations.get(route) ?? { counts: buckets.map(() => 0), sum: 0, count: 0 }
      durations.set(route, duration)
      for (const [index, limit] of buckets.entries()) if (seconds <= limit) duration.counts[index]!++
      duration.sum += seconds
      duration.count++
    },
    async format(readPool) {
      const queue = await listQueuedJobs(readPool)
      return [
        ...describeProcess(),
        ...metric(
          'http_requests_total',
          'counter',
          'Requests by route and status.',
          [...requests.values()].map(toSample),
        ),
        ...metric(
          'http_request_duration_seconds',
          'histogram',
          'Time until the response, by route.',
          [...durations.entries()].flatMap(toHistogram),
        ),
        ...metric(
          'jobs',
          'gauge',
          'Jobs by queue and state.',
          queue.map(({ name, state, count }) => ({
            labels: { queue: name, state },
            value: count,
          })),
        ),
        ...metric(
          'jobs_overdue_seconds',
          'gauge',
          'How long the oldest job of a queue has waited.',
          listOverdue(queue),
        ),
        '',
      ].join('\n')
    },
  }
}

type Labels = Record<string, string>
type Sample = { suffix?: string; labels: Labels; value: number }

const toSample = ({ labels, count }: { labels: Labels; count: number }): Sample => ({ labels, value: count })

function toHistogram([route, { counts, sum, count }]: [
  string,
  { counts: number[]; sum: number; count: number },
]): Sample[] {
  return [
    ...buckets.map((limit, index) => ({
      suffix: '_bucket',
      labels: { route, le: String(limit) },
      value: counts[index]!,
    })),
    { suffix: '_bucket', labels: { route, le: '+Inf' }, value: count },
    { suffix: '_sum', labels: { route }, value: sum },
    { suffix: '_count', labels: { route }, value: count },
  ]
}

function describeProcess(): string[] {
  const { user, system } = process.cpuUsage()
  const gauge = (name: string, help: string, value: number) => metric(name, 'gauge', help, [{ labels: {}, value }])
  return [
    ...metric('process_cpu_seconds_total', 'counter', 'CPU time of the process.', [
      { labels: {}, value: (user + system) / 1e6 },
    ]),
    ...gauge('process_resident_memory_bytes', 'Memory of the process.', process.memoryUsage.rss()),
    ...gauge('process_start_time_seconds', 'When the process started.', performance.timeOrigin / 1000),
  ]
}

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
