import { Button } from '#app/ui/components/button.tsx'
import { Dialog, DialogActions, DialogBody, DialogClose } from '#app/ui/components/dialog.tsx'
import type { MoveQuestion } from '#app/ui/dnd/use-optimistic-moves.ts'

/** Asks after a drag onto something else, before the move is saved. */
export function OverlapQuestion({ question }: { question: MoveQuestion | null }) {
  if (!question) return null
  return (
    <Dialog key={question.key} role="alertdialog" title="Move it to a time that is taken?" onClose={question.refuse}>
      <DialogBody>
        <p className="wrap-anywhere text-ink-2">{question.text}</p>
        <DialogActions>
          <DialogClose takesFocus>Put It Back</DialogClose>
          <Button variant="primary" onClick={question.accept}>
            Move Anyway
          </Button>
        </DialogActions>
      </DialogBody>
    </Dialog>
  )
}
