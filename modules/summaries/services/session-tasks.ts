import { createHash } from 'node:crypto'
import type { SessionTask } from '#modules/core/manifest.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { Action, ActionOwner } from '../types.ts'

/** Decides whether the action at `index` becomes a task when the summary is approved, and which. */
export type TaskChoice = { index: number; isTask: boolean; owner: ActionOwner; due: string | null }

type Summarized = { linesHash: Uint8Array; actions: Action[] }

/**
 * Tells actions apart by the lines that say them: one that the coach has rephrased stays the same. One without lines by
 * its text.
 */
export function toTaskKeys({ linesHash, actions }: Summarized): string[] {
  const counts = new Map<string, number>()
  return actions.map(({ lines, text }) => {
    const source = lines.length ? `${Buffer.from(linesHash).toString('hex')} ${lines.join()}` : text
    const count = (counts.get(source) ?? 0) + 1
    counts.set(source, count)
    return createHash('sha256').update(`${count} ${source}`).digest('hex')
  })
}

/**
 * Makes tasks of a summary's actions, once; all of them without `choices`. Nothing without the module that keeps tasks.
 */
export async function addTasks(
  ctx: WriteCtx,
  session: { appointmentId: number; clientId: number },
  summary: Summarized,
  choices?: TaskChoice[],
): Promise<void> {
  const keys = toTaskKeys(summary)
  const tasks = summary.actions.flatMap(({ text, owner, due, lines }, index) => {
    const isLeftOut = choices && !choices.some((choice) => choice.index === index && choice.isTask)
    return isLeftOut
      ? []
      : [{ key: keys[index]!, title: text, owner: owner ?? 'coach', dueDate: due, line: lines[0] ?? null }]
  })
  await ctx.extensions.sessionTasks?.add(ctx, session, tasks)
}

/** The tasks of sessions; none without the module that keeps tasks. */
export async function listTasks(ctx: Ctx, appointmentIds: number[]): Promise<SessionTask[]> {
  return (await ctx.extensions.sessionTasks?.list(ctx, appointmentIds)) ?? []
}
