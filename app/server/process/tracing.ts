import {
  context,
  diag,
  DiagLogLevel,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span,
} from '@opentelemetry/api'
import type { Logger } from 'pino'
import { AppError } from '#app/lib/errors.ts'
import { setTracer, type Tracer } from '#db/tracing.ts'
import type { Config } from '#tenants/config.ts'

export type Tracing = {
  /** Begins to send what there is. */
  flush(): void
  /** Sends the last spans, for at most `ms` milliseconds: the collector may be away. */
  stop(ms?: number): Promise<void>
}

/**
 * Sends traces to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, if there is one: a trace of each request and job, with
 * spans of its transactions and statements (see db/tracing.ts).
 */
export async function startTracing({ tracing }: Config, log: Logger): Promise<Tracing> {
  if (!tracing) return { flush() {}, async stop() {} }
  // Loaded here, because most installations need none of it.
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const warn = (...reasons: unknown[]) =>
    log.warn({ reason: reasons.map(String).join(' ').slice(0, 200) }, 'traces could not be sent')
  const ignore = () => {}
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const exporter = new OTLPTraceExporter({
    url: `${tracing.endpoint}/v1/traces`,
    headers: tracing.headers,
    timeoutMillis: 10_000,
  })
  const root = new sdk.TraceIdRatioBasedSampler(tracing.ratio)
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': tracing.serviceName }),
    // The share applies to all traces: whether a proxy wants one may be the wish of a visitor.
    sampler: new sdk.ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root }),
    // Spans that don't fit are dropped: a collector that is away costs a few megabytes at most.
    spanProcessors: [new sdk.BatchSpanProcessor(exporter, { maxQueueSize: 4_096, scheduledDelayMillis: 2_000 })],
  })
  provider.register()
  setTracer(tracer)
  let stopping: Promise<void> | undefined
  return {
    flush: () => void provider.forceFlush().catch(() => {}),
    stop: (ms = 300) => (stopping ??= stop(ms)),
  }

  async function stop(ms: number): Promise<void> {
    let timeout: NodeJS.Timeout | undefined
    const tooLate = new Promise<string>((resolve) => {
      timeout = setTimeout(() => resolve('The collector did not take the last ones in time.'), ms)
    })
    const failure = await Promise.race([provider.shutdown().catch(String), tooLate])
    if (failure) warn(failure)
    clearTimeout(timeout)
    setTracer(null)
    for (const api of [trace, context, propagation, diag]) api.disable()
  }
}

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
}

const tracer: Tracer = {
  isActive: () => trace.getActiveSpan() !== undefined,
  run(name, { kind = 'internal', attributes = {}, parent }, work) {
    const options = { kind: kinds[kind], attributes }
    const within = parent ? propagation.extract(ROOT_CONTEXT, parent) : context.active()
    return trace.getTracer('practice').startActiveSpan(name, options, within, (span) => runInSpan(span, work))
  },
}

async function runInSpan<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    return await work(span)
  } catch (error) {
    // A refusal is no failure.
    if (!(error instanceof AppError && error.status < 500)) span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttribute('error.type', describeError(error))
    throw error
  } finally {
    span.end()
  }
}

/** The code or type of an error. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : error.name
}
