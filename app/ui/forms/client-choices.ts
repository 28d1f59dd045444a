import type { PersonGroup } from './person-combobox.tsx'

/** For a PersonCombobox: the clients that match a search. */
export async function searchClients(term: string, signal: AbortSignal): Promise<PersonGroup[]> {
  const response = await fetch(`/api/clients?${new URLSearchParams({ q: term, limit: '20' })}`, { signal })
  if (!response.ok) throw new Error(`Searching clients failed: ${response.status}`)
  return toGroups(await response.json())
}

export const toGroups = (clients: { id: number; name: string }[]): PersonGroup[] => [
  { label: 'Clients', choices: clients.map(({ id, name }) => ({ value: String(id), label: name })) },
]
