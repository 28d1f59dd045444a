import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { formActions } from '#modules/core/form-actions.server.ts'
import { ModuleList } from '../components/module-list.tsx'
import { planTitles } from '../fields.ts'
import { PlanModulesForm } from '../forms.ts'
import { adminUrl, modulesPath } from '../list-state.ts'
import { requireAdmin } from '../require-admin.server.ts'
import { changePlanModules, getPlanModules, listModules } from '../services/modules.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Modules')

export async function loader({ context }: LoaderFunctionArgs) {
  const ctx = requireAdmin(context)
  return { modules: listModules(ctx), plans: await getPlanModules(ctx) }
}

const messages = { save: { done: 'Modules saved', failed: 'Failed to save the modules. Please try again.' } }

export const action = formActions(
  messages,
  { save: { schema: PlanModulesForm, run: changePlanModules } },
  { home: modulesPath, authorize: requireAdmin },
)

export const clientAction = formClientAction(messages)

export default function Modules() {
  const { modules, plans } = useLoaderData<typeof loader>()
  const seen = plans.flatMap(({ plan, off }) =>
    modules.filter(({ id }) => !off.includes(id)).map(({ id }) => `${plan}:${id}`),
  )
  return (
    <Page
      title="Modules"
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: 'Admin Console', to: adminUrl.href() },
        { label: 'Modules' },
      ]}
      description="What each plan has. One that is off has no pages, calls, jobs, emails or search results; its data is kept."
    >
      <ModuleList
        key={seen.join()}
        title="Modules of the plans"
        intent="save"
        modules={modules}
        seen={seen}
        renderSwitch={({ id, title }) => (
          <fieldset className="flex flex-wrap gap-x-5 gap-y-1">
            <legend className="sr-only">{title}</legend>
            {plans.map(({ plan, off, allOff }) => (
              <label key={plan} className="flex min-h-8 items-center gap-2">
                <input
                  type="checkbox"
                  name="on"
                  value={`${plan}:${id}`}
                  className="check"
                  defaultChecked={!off.includes(id)}
                />
                {planTitles[plan]}
                {allOff.includes(id) && !off.includes(id) && <span className="text-sm text-ink-3">(off)</span>}
              </label>
            ))}
          </fieldset>
        )}
      />
      <p className="mt-4 max-w-3xl text-sm text-ink-3">
        A module is off too while one that it needs is off. What you set for one coach, under View Details, wins over
        the plan. Payments that run at Stripe go on and are recorded.
      </p>
    </Page>
  )
}
