import { useLocation } from '@remix-run/react'
import type { FieldState } from '#app/ui/forms/field.tsx'
import { PersonCombobox, type PersonGroup } from '#app/ui/forms/person-combobox.tsx'
import { PersonSearchForm } from '#app/ui/forms/person-search-form.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { AppointmentChoices } from '../dialogs.ts'

type Choices = Pick<AppointmentChoices, 'clients' | 'prospects' | 'addProspectTo' | 'hasMore' | 'who'>

/** A client or, where there are prospects, one of them. */
export function AttendeeCombobox({ field, choices }: { field: FieldState; choices: Choices }) {
  return (
    <PersonCombobox
      field={field}
      label={choices.addProspectTo ? 'Client or prospect' : 'Client'}
      placeholder={toPlaceholder(choices)}
      groups={[
        { label: 'Clients', choices: choices.clients },
        { label: 'Prospects', choices: choices.prospects },
      ].filter((group) => group.choices.length)}
      search={choices.hasMore ? searchAttendees : undefined}
      hint={!hasPeople(choices) && !choices.who && <NoAttendees addProspectTo={choices.addProspectTo} />}
    />
  )
}

const hasPeople = ({ clients, prospects }: Choices): boolean => clients.length + prospects.length > 0

function toPlaceholder(choices: Choices): string {
  if (choices.addProspectTo) return hasPeople(choices) ? 'Choose a client or prospect' : 'No clients or prospects yet'
  return hasPeople(choices) ? 'Choose a client' : 'No clients yet'
}

/** Finds people without JavaScript. Put it before the form. */
export function FindAttendee({ choices: { hasMore, who, addProspectTo } }: { choices: Choices }) {
  const { pathname, search } = useLocation()
  if (!hasMore && !who) return null
  return (
    <PersonSearchForm
      url={pathname + search}
      name="who"
      value={who}
      label={addProspectTo ? 'Find a client or prospect' : 'Find a client'}
    />
  )
}

async function searchAttendees(term: string, signal: AbortSignal): Promise<PersonGroup[]> {
  const response = await fetch(`/calendar/attendees?${new URLSearchParams({ q: term })}`, { signal })
  if (!response.ok) throw new Error('The search failed.')
  return response.json()
}

function NoAttendees({ addProspectTo }: Pick<Choices, 'addProspectTo'>) {
  return (
    <>
      First{' '}
      <Link to="/clients?dialog=add" className="link">
        add a client
      </Link>
      {addProspectTo && (
        <>
          {' '}
          or{' '}
          <Link to={addProspectTo} className="link">
            a prospect
          </Link>
        </>
      )}
      .
    </>
  )
}
