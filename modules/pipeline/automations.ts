import { onEvent, type AutomationAction, type AutomationTrigger } from '../core/automations.ts'
import type { Ctx } from '#tenants/context.ts'
import { prospectMoved } from './events.ts'
import { listStages } from './queries/stages.ts'
import { updateProspect } from './services/prospects.ts'

const listStageChoices = async (ctx: Ctx) =>
  (await listStages(ctx)).map(({ id, name }) => ({ value: String(id), label: name }))

const stageChanged = 'pipeline.stage-changed'
/** SQL over the activity `e`: a move by the coach, and not because a stage was deleted or restored. */
const isMove = `e.type = 'moved' and e.metadata ? 'from' and e.description not like '%, which was deleted, to %'`
const newStage = `(e.metadata ->> 'to')::bigint`

export const automationTriggers: AutomationTrigger[] = [
  {
    name: stageChanged,
    label: 'a prospect moves to another stage',
    order: 50,
    permission: 'pipeline:prospect:read',
    people: ['prospect'],
    on: onEvent(prospectMoved, ({ prospectId, to }) => ({
      where: `p.id = $2 and ${newStage} = $3`,
      values: [prospectId, to],
    })),
    filters: [
      { name: 'stage', label: 'The new stage is', values: `array[e.metadata ->> 'to']`, options: listStageChoices },
    ],
    placeholders: { stage: { label: 'The name of the new stage', sql: 's.name' } },
    rows: () => ({
      from: `from pipeline_activity e
          join prospect p on p.coach_id = $1 and p.id = e.prospect_id
          left join pipeline_stage s on s.coach_id = $1 and s.id = ${newStage}
        where e.coach_id = $1 and ${isMove} and p.deleted_at is null and p.converted_at is null`,
      key: 'e.id::text',
      at: 'e.created_at',
      title: `coalesce('Moved to ' || s.name, 'Moved to another stage')`,
      to: `'/pipeline?dialog=edit&prospect=' || p.id`,
      clientId: 'null::bigint',
      prospectId: 'p.id',
      name: 'p.name',
      email: 'p.email',
      timezone: 'p.timezone',
    }),
  },
]

export const automationActions: AutomationAction[] = [
  {
    name: 'pipeline.move-to-stage',
    label: 'Move to a stage',
    order: 40,
    permission: 'pipeline:prospect:write',
    people: ['prospect'],
    fields: [{ name: 'stage', label: 'Stage', kind: 'choice', required: 'Choose a stage', options: listStageChoices }],
    causes: ({ stage = '' }) => [{ trigger: stageChanged, filters: { stage } }],
    describe: (_settings, { stage }) => `Move to the stage “${stage}”`,
    run: async (ctx, { stage }, { person }) => {
      await updateProspect(ctx, person.id, { stageId: Number(stage) })
    },
  },
]
