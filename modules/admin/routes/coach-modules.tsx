import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { formActions } from '#modules/core/form-actions.server.ts'
import { ModuleList } from '../components/module-list.tsx'
import { moduleStateNames, moduleStates, planTitles } from '../fields.ts'
import { formatName } from '../format.ts'
import { CoachModulesForm } from '../forms.ts'
import { adminUrl } from '../list-state.ts'
import { coachNotFound } from '../output.ts'
import { getCoach } from '../queries/coaches.ts'
import { requireAdmin } from '../require-admin.server.ts'
import { changeCoachModules, getCoachModules, listModules, toState } from '../services/modules.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction = ({ matches }) => pageTitle(matches, 'Modules')

export async function loader({ params, context }: LoaderFunctionArgs) {
  const ctx = requireAdmin(context)
  const id = readCoachId(params.coach)
  const [coach, { plan, switches, planOff, allOff }] = await Promise.all([getCoach(ctx, id), getCoachModules(ctx, id)])
  const modules = listModules(ctx)
  const states = Object.fromEntries(modules.map((module) => [module.id, toState(switches[module.id])]))
  return { id, name: formatName(coach), email: coach.email, plan: planTitles[plan], modules, states, planOff, allOff }
}

function readCoachId(param: string | undefined): number {
  const id = parseId(param)
  if (!id) throw coachNotFound()
  return id
}

const messages = { save: { done: 'Modules saved', failed: 'Failed to save the modules. Please try again.' } }

export const action = formActions(
  messages,
  {
    save: {
      schema: CoachModulesForm,
      run: (ctx, input, { params }) => changeCoachModules(ctx, readCoachId(params.coach), input),
    },
  },
  { home: adminUrl.href(), authorize: requireAdmin },
)

export const clientAction = formClientAction(messages)

export default function CoachModules() {
  const { id: coachId, name, email, plan, modules, states, planOff, allOff } = useLoaderData<typeof loader>()
  const seen = modules.filter(({ isSwitchable }) => isSwitchable).map(({ id }) => `${id}:${states[id]}`)
  return (
    <Page
      title={`Modules of ${name}`}
      crumbs={[
        { label: 'Admin Console', to: adminUrl.href() },
        { label: name, to: adminUrl.href({ q: email, dialog: 'details', coach: coachId }) },
        { label: 'Modules' },
      ]}
      description={`${email} is on ${plan}. What is set here wins over the plan.`}
    >
      <ModuleList
        key={seen.join()}
        title={`Modules of ${name}`}
        intent="save"
        modules={modules}
        seen={seen}
        renderSwitch={({ id, title, needs }) => (
          <div className="flex flex-wrap items-center gap-3">
            {allOff.includes(id) && (
              <span className="text-sm text-ink-3">
                {isOffItself(id) ? 'Off now' : `Off now: it needs ${new Intl.ListFormat('en-US').format(needs)}`}
              </span>
            )}
            <select
              name="state"
              aria-label={title}
              defaultValue={`${id}:${states[id]}`}
              className="input select !w-auto"
            >
              {moduleStateNames.map((state) => (
                <option key={state} value={`${id}:${state}`}>
                  {state === 'plan'
                    ? `${moduleStates.plan} (${planOff.includes(id) ? 'off' : 'on'})`
                    : moduleStates[state]}
                </option>
              ))}
            </select>
          </div>
        )}
      />
    </Page>
  )

  function isOffItself(id: string): boolean {
    return states[id] === 'off' || (states[id] === 'plan' && planOff.includes(id))
  }
}
