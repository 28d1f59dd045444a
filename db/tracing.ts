import type { Attributes, Span } from '@opentelemetry/api'
import type { Statement } from './pg-pipeline.ts'

type TraceOptions = {
  kind?: 'internal' | 'server' | 'client' | 'consumer'
  attributes?: Attributes
  /** The header `traceparent` of a trace to go on with, or {} for a new one. */
  parent?: Record<string, string>
}

/** Records spans. The process that sends traces sets it: OpenTelemetry is loaded only there. */
export type Tracer = {
  /** Whether a request or job is being traced. */
  isActive(): boolean
  run<T>(name: string, options: TraceOptions, work: (span: Span) => Promise<T>): Promise<T>
}

let tracer: Tracer | null = null

export function setTracer(next: Tracer | null): void {
  tracer = next
}

/**
 * Runs `work` as a span of the trace that it belongs to; without traces with null. Names and attributes go to other
 * systems: they never have values of records, addresses of pages or messages of errors.
 */
export const traceSpan = <T>(
  name: string,
  options: TraceOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> => (tracer ? tracer.run(name, options, work) : work(null))

/** As `traceSpan`, for statements that are sent together. Only their names are sent: a text may contain values. */
export function traceStatements<T>(statements: readonly Statement[], work: () => Promise<T>): Promise<T> {
  // Statements outside of a request or job, such as those of health checks, are not traced.
  if (!tracer?.isActive()) return work()
  const names = statements.map(({ name, text }) => name ?? /^\w+/.exec(text)?.[0]?.toLowerCase() ?? 'statement')
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.summary': names.join(', '),
    ...(names.length > 1 ? { 'db.operation.batch.size': names.length } : {}),
  }
  return tracer.run(names.at(-1) ?? 'statement', { kind: 'client', attributes }, work)
}
