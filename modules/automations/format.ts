import type { RunState } from './fields.ts'
import type { Tone } from '#app/ui/components/badge.tsx'

export const runTones: Record<RunState, Tone> = {
  waiting: 'warning',
  done: 'success',
  failed: 'danger',
  skipped: 'neutral',
  stopped: 'danger',
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const formatCount = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
