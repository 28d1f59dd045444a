import { Form, useNavigation } from '@remix-run/react'
import { Download, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { useIsomorphicLayoutEffect } from '#app/ui/use-isomorphic-layout-effect.ts'
import { clientFields } from '../fields.ts'
import { clientsUrl, exportHref, type ListState } from '../list-state.ts'

/** `count`: of all clients that match. */
export type BulkBarData = { state: ListState; ids: number[]; count: number; tags: string[] }

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('input[name="ids"][form="bulk"]')]

/** Changes and exports the chosen clients of the list. The boxes of its rows belong to this form. */
export default function BulkBar({ data: { state, ids, count, tags } }: { data: BulkBarData }) {
  const { chosen, all, setAll, checkPage } = useChosen(ids)
  const busy = useNavigation().formData?.get('intent') === 'bulk'
  const number = all ? count : chosen.length
  return (
    <Form id="bulk" method="post" noValidate preventScrollReset aria-label="Chosen clients" className="bulk-bar">
      <input type="hidden" name="intent" value="bulk" />
      <input type="hidden" name="url" value={clientsUrl.href(state)} />
      <p role="status" className="num font-medium">
        {number.toLocaleString('en-US')} chosen
      </p>
      <Box
        label="This page"
        checked={ids.length > 0 && chosen.length === ids.length}
        onChange={(checked) => checkPage(checked)}
      />
      {count > ids.length && (
        <Box
          label={`All ${count.toLocaleString('en-US')}`}
          name="all"
          checked={all}
          onChange={(checked) => {
            checkPage(checked)
            setAll(checked)
          }}
        />
      )}
      <Change state={state} tags={tags} busy={busy} />
      <a
        href={all || !chosen.length ? exportHref(state) : exportHref(state, chosen)}
        className="btn btn-ghost"
        aria-label={number ? `Export ${number} to CSV` : 'Export to CSV'}
      >
        <Download className="i" />
        Export
      </a>
      <Link
        to={clientsUrl.href(state, { select: null })}
        preventScrollReset
        className="btn btn-ghost btn-icon max-sm:ml-auto"
        aria-label="Stop choosing"
      >
        <X className="i" />
      </Link>
    </Form>
  )
}

/** The checked boxes of the page, and whether all clients that match are meant. */
function useChosen(ids: number[]) {
  const [chosen, setChosen] = useState<number[]>([])
  const [all, setAll] = useState(false)
  const shown = ids.join()
  useIsomorphicLayoutEffect(() => {
    const read = () => {
      const checked = boxes().filter((box) => box.checked)
      setChosen(checked.map(({ value }) => Number(value)))
      if (checked.length < boxes().length) setAll(false)
    }
    read()
    document.addEventListener('change', read)
    return () => document.removeEventListener('change', read)
  }, [shown])
  const checkPage = (checked: boolean) => {
    for (const box of boxes()) box.checked = checked
    setChosen(checked ? ids : [])
    if (!checked) setAll(false)
  }
  return { chosen, all, setAll, checkPage }
}

function Box(props: { label: string; name?: string; checked: boolean; onChange: (checked: boolean) => void }) {
  const { label, name, checked, onChange } = props
  return (
    <label className="hit flex items-center gap-2 text-sm">
      <input
        type="checkbox"
        name={name}
        className="check"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  )
}

/** The change of the chosen clients. */
function Change({ state, tags, busy }: Pick<BulkBarData, 'state' | 'tags'> & { busy: boolean }) {
  const [action, setAction] = useState<string>()
  return (
    <span className="flex min-w-0 flex-1 gap-2 max-sm:basis-full">
      <select
        name="action"
        aria-label="Change"
        className="input select min-w-0 flex-1 sm:max-w-48"
        defaultValue="add-tag"
        onChange={(event) => setAction(event.target.value)}
      >
        <option value="add-tag">Add tag</option>
        <option value="remove-tag">Remove tag</option>
        {Object.entries(clientFields.status.choices).map(([status, label]) => (
          <option key={status} value={`status-${status}`}>
            Status: {label}
          </option>
        ))}
        {state.show === 'current' ? (
          <option value="archive">Archive</option>
        ) : (
          <option value="unarchive">Unarchive</option>
        )}
        <option value="delete">Delete</option>
      </select>
      {(action === undefined || action.endsWith('-tag')) && <TagInput tags={tags} />}
      <Button type="submit" variant="primary" busy={busy}>
        Apply
      </Button>
    </span>
  )
}

function TagInput({ tags }: { tags: string[] }) {
  return (
    <>
      <input
        name="tag"
        aria-label="Tag"
        placeholder="Tag"
        maxLength={40}
        list="known-tags"
        autoComplete="off"
        className="input min-w-0 flex-1 sm:max-w-40"
      />
      <datalist id="known-tags">
        {tags.map((tag) => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  )
}
