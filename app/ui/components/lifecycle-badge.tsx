import { Badge, StatusBadge } from './badge.tsx'

export type Lifecycle = {
  status: string
  sessionCompleted: boolean
  /** Its recording is being transcribed, or its summary is being made. */
  isProcessing: boolean
  summaryGenerated: boolean
}

/**
 * A session's way to its summary (part-2 §4): Scheduled, Session Complete, Processing Summary, Summary Complete. Before
 * it is completed another status is shown beside it.
 */
export function LifecycleBadge({ status, sessionCompleted, isProcessing, summaryGenerated }: Lifecycle) {
  if (!sessionCompleted)
    return (
      <>
        <StatusBadge status="scheduled" />
        {status !== 'scheduled' && <StatusBadge status={status} />}
      </>
    )
  if (summaryGenerated) return <Badge tone="success">Summary Complete</Badge>
  return isProcessing ? <Badge tone="info">Processing Summary</Badge> : <Badge tone="success">Session Complete</Badge>
}
