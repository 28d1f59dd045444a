import type { ReactNode } from 'react'
import { Form, useActionData, useNavigation } from '@remix-run/react'
import { Button } from '#app/ui/components/button.tsx'
import { FormError } from '#app/ui/forms/field.tsx'
import type { SwitchedModule } from '../services/modules.ts'

type ActionData = { result?: { error?: Record<string, string[] | null> | null } }

/** A form with a row for each module. `renderSwitch`: what switches it. `seen`: what the form shows when it is sent. */
export function ModuleList({
  title,
  intent,
  modules,
  seen,
  renderSwitch,
}: {
  title: string
  intent: string
  modules: SwitchedModule[]
  seen: string[]
  renderSwitch: (module: SwitchedModule) => ReactNode
}) {
  const { result } = useActionData<ActionData>() ?? {}
  const busy = useNavigation().formData?.get('intent') === intent
  return (
    <Form method="post" className="card max-w-3xl overflow-hidden" aria-label={title} preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      {seen.map((value) => (
        <input key={value} type="hidden" name="seen" value={value} />
      ))}
      <FormError errors={result?.error?.[''] ?? undefined} />
      <ul className="rows">
        {modules.map((module) => (
          <li key={module.id} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-3">
            <div className="min-w-0 flex-1 basis-52">
              <p className="font-semibold">{module.title}</p>
              <p className="text-sm text-ink-3">{describeNeeds(module)}</p>
            </div>
            {module.isSwitchable && renderSwitch(module)}
          </li>
        ))}
      </ul>
      <div className="flex justify-end border-t border-line-soft px-5 py-4">
        <Button type="submit" variant="primary" busy={busy} busyLabel="Saving...">
          Save Modules
        </Button>
      </div>
    </Form>
  )
}

function describeNeeds({ title, needs, isSwitchable }: SwitchedModule): string {
  if (!isSwitchable) return 'Always on: everything else is built on it.'
  return needs.length ? `${title} needs ${new Intl.ListFormat('en-US').format(needs)}.` : 'Needs no other module.'
}
