import { useNavigation } from '@remix-run/react'

/** A thin bar while a page is on its way; quick ones come without. For eyes alone: it says nothing that the page won't say. */
export function Underway() {
  return useNavigation().state === 'idle' ? null : <div className="underway no-print" aria-hidden="true" />
}
