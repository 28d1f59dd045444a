import { Form } from '@remix-run/react'
import { ArrowUp, Pencil, Plus, Trash2 } from 'lucide-react'
import type { Fields } from '#app/lib/fields.ts'
import { Badge } from '#app/ui/components/badge.tsx'
import { Button, ButtonLink, IconButton } from '#app/ui/components/button.tsx'
import { EmptyState } from '#app/ui/components/empty-state.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { useEditConflict } from '#app/ui/forms/edit-conflict.tsx'
import { SelectField, TextField } from '#app/ui/forms/field.tsx'
import { useServerForm } from '#app/ui/forms/use-server-form.ts'
import type { AutomationPage } from '../automation-loader.server.ts'
import { automationFields, limits, settingName } from '../fields.ts'
import { automationUrl } from '../list-state.ts'

type Props = Omit<AutomationPage, 'view' | 'dry' | 'log'>

/** When, only if, then. */
export function Setup(data: Props) {
  const { trigger, conditions } = data
  return (
    <div className="grid max-w-[52rem] grid-cols-[minmax(0,1fr)] gap-6">
      <When key={`when-${data.trigger?.name}`} {...data} />
      {trigger && conditions.length > 0 && <OnlyIf key={trigger.name} {...data} />}
      <Then {...data} />
    </div>
  )
}

const body = 'grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line-soft px-5 py-5'

const whenFields = {
  ...automationFields,
  trigger: { kind: 'line', label: 'When', required: 'Choose when it begins' },
  days: { kind: 'line', label: 'Days', max: 4 },
} as const satisfies Fields

function When({ id, name, version, days, trigger, triggers }: Props) {
  const values = { name, trigger: trigger?.name ?? '', days: days === null ? '' : String(days) }
  const state = useServerForm(whenFields, { id: 'when', intent: 'when', values })
  const conflict = useEditConflict(state, { noun: 'automation', current: { version, values } })
  const { form, busy } = state
  const { fields } = conflict
  return (
    <Card title="When">
      <Form key={conflict.key} method="post" {...form.props} className={body} preventScrollReset>
        <input type="hidden" name="intent" value="when" />
        <input type="hidden" name="id" value={id} />
        {conflict.inputs}
        {conflict.notice}
        {!trigger && (
          <p className="note">
            The part of the product that noticed this is not available. Nothing begins this automation for now.
          </p>
        )}
        <TextField field={fields.name} autoComplete="off" />
        <SelectField
          field={fields.trigger}
          choices={trigger ? triggers : [{ value: '', label: 'Not available' }, ...triggers]}
        />
        {trigger?.days && (
          <TextField field={fields.days} label={trigger.days.label} inputMode="numeric" autoComplete="off" />
        )}
        <SaveButton busy={busy} />
      </Form>
    </Card>
  )
}

const SaveButton = ({ busy }: { busy: boolean }) => (
  <div className="flex justify-end">
    <Button type="submit" busy={busy} busyLabel="Saving...">
      Save
    </Button>
  </div>
)

function OnlyIf({ id, version, filters, conditions }: Props) {
  const fields = Object.fromEntries(
    conditions.map(({ name, label }) => [settingName(name), { kind: 'line', label } as const]),
  )
  const values = Object.fromEntries(conditions.map(({ name }) => [settingName(name), filters[name] ?? '']))
  const state = useServerForm<Fields>(fields, { id: 'only-if', intent: 'only-if', values })
  const conflict = useEditConflict(state, { noun: 'automation', current: { version, values } })
  const { form, busy } = state
  return (
    <Card title="Only if">
      <Form key={conflict.key} method="post" {...form.props} className={body} preventScrollReset>
        <input type="hidden" name="intent" value="only-if" />
        <input type="hidden" name="id" value={id} />
        {conflict.inputs}
        {conflict.notice}
        <div className="grid gap-4 sm:grid-cols-2">
          {conditions.map(({ name, choices }) => {
            const chosen = filters[name]
            const isMissing = chosen !== undefined && !choices.some(({ value }) => value === chosen)
            return (
              <SelectField
                key={name}
                field={conflict.fields[settingName(name)]!}
                choices={[
                  { value: '', label: 'Any' },
                  ...(isMissing ? [{ value: chosen, label: 'No longer there' }] : []),
                  ...choices,
                ]}
              />
            )
          })}
        </div>
        <SaveButton busy={busy} />
      </Form>
    </Card>
  )
}

function Then({ id, described, possible, isFull }: Props) {
  const url = automationUrl(id)
  return (
    <Card title="Then">
      <div className="border-t border-line-soft">
        {described.actions.length ? (
          <ol className="rows" aria-label="Actions">
            {described.actions.map((action, index) => (
              <li key={action.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-3">
                <div className="min-w-0 flex-1 basis-52">
                  <p className="font-medium wrap-anywhere">{action.text}</p>
                  {action.problem && <p className="text-sm text-danger-text">{action.problem}</p>}
                </div>
                {action.problem && <Badge tone="danger">Not available</Badge>}
                <div className="flex gap-1">
                  {index > 0 && <MoveUp id={id} action={action.id} text={action.text} />}
                  <ButtonLink
                    variant="ghost"
                    size="sm"
                    icon={Pencil}
                    className="btn-icon"
                    to={url.href({ dialog: 'action', action: action.id })}
                    aria-label={`Edit: ${action.text}`}
                    preventScrollReset
                  />
                  <ButtonLink
                    variant="ghost"
                    size="sm"
                    icon={Trash2}
                    className="btn-icon"
                    to={url.href({ dialog: 'remove-action', action: action.id })}
                    aria-label={`Remove: ${action.text}`}
                    preventScrollReset
                  />
                </div>
              </li>
            ))}
          </ol>
        ) : (
          <EmptyState title="No actions yet">Add the first one below.</EmptyState>
        )}
      </div>
      <div className="border-t border-line-soft px-5 py-4">
        {isFull ? (
          <p className="note">An automation has at most {limits.actions} actions.</p>
        ) : (
          <nav aria-label="Add an action" className="flex flex-wrap gap-2">
            {possible.map(({ value, label }) => (
              <ButtonLink
                key={value}
                size="sm"
                icon={Plus}
                to={url.href({ dialog: 'action', kind: value })}
                preventScrollReset
              >
                {label}
              </ButtonLink>
            ))}
          </nav>
        )}
      </div>
    </Card>
  )
}

const MoveUp = ({ id, action, text }: { id: number; action: string; text: string }) => (
  <Form method="post" preventScrollReset>
    <input type="hidden" name="intent" value="move-up" />
    <input type="hidden" name="id" value={id} />
    <input type="hidden" name="action" value={action} />
    <IconButton type="submit" size="sm" icon={ArrowUp} label={`Move up: ${text}`} />
  </Form>
)
