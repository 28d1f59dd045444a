import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { Video } from 'lucide-react'
import { parseId } from '#app/lib/url.ts'
import { pageTitle } from '#app/ui/components/branding.tsx'
import { ButtonLink } from '#app/ui/components/button.tsx'
import { Page } from '#app/ui/components/page.tsx'
import { PartCard } from '#app/ui/components/part-card.tsx'
import { formClientAction } from '#app/ui/forms/form-client-action.ts'
import { Link } from '#app/ui/navigation/link.tsx'
import { formActions } from '#modules/core/form-actions.server.ts'
import { AgendaCard } from '../components/preparation/agenda-card.tsx'
import { LastSessionCard } from '../components/preparation/last-session-card.tsx'
import { AgendaForm } from '../forms.ts'
import { loadPreparation, type Preparation } from '../preparation-loader.server.ts'
import { saveAgenda } from '../services/agendas.ts'

export { shouldRevalidate } from '#app/lib/should-revalidate.ts'

export const meta: MetaFunction<typeof loader> = ({ matches, data }) =>
  pageTitle(matches, data ? `Prepare for ${data.client.name}` : 'Prepare')

export const loader = ({ params, context }: LoaderFunctionArgs) => loadPreparation(context.coach(), parseId(params.id))

const messages = { save: { done: 'Agenda saved', failed: 'The agenda could not be saved.' } }

export const action = formActions(
  messages,
  {
    save: {
      schema: AgendaForm,
      run: (ctx, { version, content }, { params }) => saveAgenda(ctx, parseId(params.id), { content }, version),
    },
  },
  {},
)

export const clientAction = formClientAction(messages)

export default function PreparePage() {
  const data = useLoaderData<typeof loader>()
  const { title, date, client, lastSession, parts } = data
  return (
    <Page
      title={`Prepare for ${client.name}`}
      crumbs={[
        { label: 'Dashboard', to: '/dashboard' },
        { label: title, to: `/calendar?date=${date}&dialog=appointment&appointment=${data.id}` },
        { label: 'Prepare' },
      ]}
      description={<Facts {...data} />}
      actions={<Actions {...data} />}
    >
      <div className="grid items-start gap-6 xl:grid-cols-[1fr_21.5rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <AgendaCard key={data.id} {...data} />
          <LastSessionCard lastSession={lastSession} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {parts.map(({ key, ...part }) => (
            <PartCard key={key} {...part} />
          ))}
        </div>
      </div>
    </Page>
  )
}

function Facts({ when, clientTime, client, status }: Preparation) {
  return (
    <>
      {[when, clientTime, status].filter(Boolean).join(' · ')}{' '}
      <Link className="link hit" to={`/clients/${client.id}`}>
        View client
      </Link>
    </>
  )
}

function Actions({ id, date, joinUrl }: Preparation) {
  return (
    <>
      <ButtonLink to={`/calendar?date=${date}&dialog=appointment&appointment=${id}`}>Session</ButtonLink>
      {joinUrl && (
        <a href={joinUrl} target="_blank" rel="noreferrer" className="btn btn-primary">
          <Video className="i" />
          Join
        </a>
      )}
    </>
  )
}
