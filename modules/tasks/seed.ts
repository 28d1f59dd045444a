import { addDays, localDate } from '#app/lib/time.ts'
import type { DemoPractice } from '#modules/core/manifest.ts'
import { listClientOptions } from '#modules/crm/index.ts'
import type { Ctx, WriteCtx } from '#tenants/context.ts'
import type { TaskOwner } from './fields.ts'
import { NewTask } from './forms.ts'
import { hasManualTasks } from './queries/tasks.ts'
import { completeTask, createTask } from './services/tasks.ts'

/** `client`: the place of the client in the list of clients. `due`: days from today. */
type DemoTask = { title: string; owner?: TaskOwner; client?: number; due?: number; notes?: string; isDone?: true }

const demoTasks: Record<DemoPractice['which'], DemoTask[]> = {
  first: [
    { title: 'Send the reading list', client: 0, due: 0 },
    { title: 'Write down three days that went well', owner: 'client', client: 0, due: -2 },
    { title: 'Prepare the values exercise', client: 1, due: 3, notes: 'The **short** version, with cards.' },
    { title: 'Ask for a conversation with the manager', owner: 'client', client: 1, due: 5 },
    { title: 'Send the invoice for March', client: 2, due: -1, isDone: true },
    { title: 'Renew the room for the workshop', due: 12 },
  ],
  second: [
    { title: 'Look at the running shoes', client: 0, due: 0 },
    { title: 'Run twice, twenty minutes each', owner: 'client', client: 0, due: 4 },
    { title: 'Send the plan for spring', client: 0, due: -3, isDone: true },
  ],
}

/** Fills the demo practice, once. Those of sessions are added with their summaries. */
export async function seed(ctx: Ctx, { which }: DemoPractice): Promise<void> {
  if (await hasManualTasks(ctx)) return
  const clients = await listClientOptions(ctx, { rows: 3 })
  const today = localDate(ctx.now(), ctx.account.timezone)
  await ctx.write(async (tx) => {
    for (const task of demoTasks[which]) await addTask(tx, task, { clientIds: clients.map(({ id }) => id), today })
  })
}

async function addTask(
  tx: WriteCtx,
  { title, owner = 'coach', client, due, notes, isDone }: DemoTask,
  { clientIds, today }: { clientIds: number[]; today: string },
): Promise<void> {
  const clientId = client === undefined ? null : (clientIds[client] ?? clientIds[0] ?? null)
  if (owner === 'client' && clientId === null) return
  const dueDate = due === undefined ? null : addDays(today, due)
  const { id } = await createTask(tx, NewTask.parse({ title, owner, clientId, dueDate, notes: notes ?? null }))
  if (isDone) await completeTask(tx, id)
}
