import { addDays, localDate } from '#app/lib/time.ts'
import type { AutomationAction } from '../core/automations.ts'
import { taskOwners, type TaskOwner } from './fields.ts'
import { createTask } from './services/tasks.ts'

export const automationActions: AutomationAction[] = [
  {
    name: 'tasks.create-task',
    label: 'Create a task',
    order: 20,
    permission: 'tasks:task:write',
    people: ['client', 'prospect'],
    fields: [
      {
        name: 'title',
        label: 'Title',
        kind: 'line',
        required: 'Title is required',
        max: 255,
        takesPlaceholders: true,
      },
      {
        name: 'owner',
        label: 'Who does it',
        kind: 'choice',
        required: 'Choose who does it',
        initial: 'coach',
        hint: 'Tasks of prospects are always yours.',
        options: async () => Object.entries(taskOwners).map(([value, label]) => ({ value, label })),
      },
      { name: 'days', label: 'Due in how many days', kind: 'days', max: 365, hint: 'Empty: no due date' },
    ],
    describe: ({ title, days }) =>
      `Create the task “${title}”${days ? `, due ${days === '0' ? 'on the same day' : days === '1' ? 'a day later' : `${days} days later`}` : ''}`,
    run: async (ctx, { title, owner, days }, { person }) => {
      const isClient = person.kind === 'client'
      const today = localDate(ctx.now(), ctx.account.timezone)
      await createTask(ctx, {
        title: title!,
        owner: isClient ? (owner as TaskOwner) : 'coach',
        clientId: isClient ? person.id : null,
        dueDate: days ? addDays(today, Number(days)) : null,
        reminder: 'due',
        notes: null,
      })
    },
  },
]
