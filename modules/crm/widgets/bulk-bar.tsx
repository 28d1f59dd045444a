import { Form, useNavigation } from '@remix-run/react'
import { Download, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#app/ui/components/button.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import { clientFields } from '../fields.ts'
import { clientsUrl, exportHref, type ListState } from '../list-state.ts'

/** `count`: of all clients that match. */
export type BulkBarData = { state: ListState; ids: number[]; count: number; tags: string[] }

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('input[name="ids"][form="bulk"]')]

/** Changes and exports the chosen clients of the list. The boxes of its rows belong to this form. */
export default function BulkBar({ data: { state, ids, count, tags } }: { data: BulkBarData }) {
  const [chosen, setChosen] = useState<number[]>([])
  const [all, setAll] = useState(false)
  const [action, setAction] = useState<string>()
  const busy = useNavigation().formData?.get('intent') === 'bulk'
  const shown = ids.join()
  useEffect(() => {
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
  const isWholePage = ids.length > 0 && chosen.length === ids.length
  const number = all ? count : chosen.length
  return (
    <Form id="bulk" method="post" noValidate preventScrollReset aria-label="Chosen clients" className="bulk-bar">
      <input type="hidden" name="intent" value="bulk" />
      <input type="hidden" name="url" value={clientsUrl.href(state)} />
      <p role="status" className="num font-medium">
        {number.toLocaleString('en-US')} chosen
      </p>
      <label className="hit flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="check"
          checked={isWholePage}
          onChange={(event) => checkPage(event.target.checked)}
        />
        This page
      </label>
      {count > ids.length && (
        <label className="hit flex items-center gap-2 text-sm">
          <input
            type="checkbox"
            name="all"
            className="check"
            checked={all}
            onChange={(event) => {
              checkPage(event.target.checked)
              setAll(event.target.checked)
            }}
          />
          All {count.toLocaleString('en-US')}
        </label>
      )}
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
        {(action === undefined || action.endsWith('-tag')) && (
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
        )}
        <Button type="submit" variant="primary" busy={busy}>
          Apply
        </Button>
      </span>
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
