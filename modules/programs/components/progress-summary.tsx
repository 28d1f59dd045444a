import { Progress } from '#app/ui/components/progress.tsx'
import type { ProgressView } from '../format.ts'

/** How far a program is, and how that is known. */
export function ProgressSummary({ progress, label }: { progress: ProgressView; label: string }) {
  const { percent, text } = progress
  return (
    <div className="grid gap-1.5">
      <Progress value={percent} label={label} />
      <p className="flex justify-between gap-3 text-sm text-ink-3">
        <span>{text}</span>
        <span className="num">{percent}%</span>
      </p>
    </div>
  )
}
