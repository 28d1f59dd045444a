import { useBlocker, useLocation } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx'
import { useIsomorphicLayoutEffect } from '../use-isomorphic-layout-effect.ts'
import { findGuardedForm, isDirty, leavesForm, markClean, trackForm, unsavedLocations } from './dirty-forms.ts'

/**
 * Asks for confirmation before the user leaves a form with unsaved changes. Covers every form that has `noValidate`.
 */
export function UnsavedChangesGuard() {
  // Register the blocker only on pages with such a form: an idle blocker breaks native navigations.
  const [isBlocking, setBlocking] = useState(false)
  const location = useLocation()
  useEffect(() => setBlocking([...document.forms].some(({ noValidate }) => noValidate)), [location])

  useIsomorphicLayoutEffect(() => {
    const onFocus = ({ target }: Event) => {
      if (findGuardedForm(target)) setBlocking(true)
    }
    const onInput = ({ target }: Event) => {
      const form = findGuardedForm(target)
      if (!form) return
      trackForm(form)
      setBlocking(true)
    }
    // Changes made before hydration fired no listener.
    for (const form of document.forms) if (form.noValidate && isDirty(form)) trackForm(form)
    // Capture, to run before React submits the form, which is a navigation too.
    const onSubmit = (event: SubmitEvent) => {
      if (!event.defaultPrevented) markClean(event.target as HTMLFormElement)
    }
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (unsavedLocations().length) event.preventDefault()
    }
    document.addEventListener('focusin', onFocus)
    document.addEventListener('input', onInput)
    document.addEventListener('submit', onSubmit, true)
    window.addEventListener('beforeunload', onBeforeUnload)
    return () => {
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('input', onInput)
      document.removeEventListener('submit', onSubmit, true)
      window.removeEventListener('beforeunload', onBeforeUnload)
    }
  }, [])
  return isBlocking ? <LeavePrompt /> : null
}

function LeavePrompt() {
  const { state, proceed, reset } = useBlocker(({ nextLocation }) =>
    unsavedLocations().some((location) => leavesForm(location, nextLocation)),
  )
  if (state !== 'blocked') return null
  return (
    <Dialog role="alertdialog" title="Discard unsaved changes?" onClose={reset}>
      <DialogBody>
        <p className="text-ink-2">Your changes on this page will be lost.</p>
        <DialogActions>
          <Button onClick={reset} data-autofocus>
            Keep editing
          </Button>
          <Button variant="danger" onClick={proceed}>
            Discard
          </Button>
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}
