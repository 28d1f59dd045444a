import type { SerializeFrom } from '@remix-run/node'
import { ConfirmDialog } from '#app/ui/components/confirm-dialog.tsx'
import { NotFoundDialog } from '#app/ui/components/not-found-dialog.tsx'
import type { loadDialog } from '../pipeline-loader.server.ts'
import { ConvertedDialog, ProspectDialog } from './prospect-dialog.tsx'
import { DeleteStageDialog, StageDialog } from './stage-dialogs.tsx'

export type DialogData = SerializeFrom<Awaited<ReturnType<typeof loadDialog>>>
type Stage = { id: number; name: string }

/** The dialog in the URL. `stages`: in the order of the board; `boardUrl`: without the dialog. */
export function PipelineDialog({
  dialog,
  stages,
  sources,
  boardUrl,
}: {
  dialog: NonNullable<DialogData>
  stages: Stage[]
  sources: string[]
  boardUrl: string
}) {
  const stageChoices = stages.map(({ id, name }) => ({ value: String(id), label: name }))
  switch (dialog.kind) {
    case 'add':
    case 'edit': {
      const { products, zones } = dialog
      const choices = { stages: stageChoices, products, zones, sources }
      return dialog.kind === 'add' ? (
        <ProspectDialog stageId={dialog.stageId} choices={choices} closeTo={boardUrl} />
      ) : (
        <ProspectDialog
          key={dialog.prospect.id}
          prospect={dialog.prospect}
          needsEmail={dialog.needsEmail}
          choices={choices}
          closeTo={boardUrl}
        />
      )
    }
    case 'delete':
      return <DeleteProspectDialog id={dialog.id} name={dialog.name} boardUrl={boardUrl} />
    case 'not-found':
      return <NotFoundDialog label="Prospect" kind="prospect" closeTo={boardUrl} />
    case 'converted':
      return <ConvertedDialog name={dialog.name} clientId={dialog.clientId} closeTo={boardUrl} />
    case 'add-stage':
      return <StageDialog positions={positionChoices(stages, null)} closeTo={boardUrl} />
    case 'edit-stage': {
      const { stage } = dialog
      const position = stages.findIndex(({ id }) => id === stage.id)
      return (
        <StageDialog
          key={stage.id}
          stage={{ ...stage, position }}
          positions={positionChoices(stages, stage.id)}
          closeTo={boardUrl}
        />
      )
    }
    case 'delete-stage':
      return (
        <DeleteStageDialog
          key={dialog.stage.id}
          stage={dialog.stage}
          prospectCount={dialog.prospectCount}
          others={stageChoices.filter(({ value }) => value !== String(dialog.stage.id))}
          closeTo={boardUrl}
        />
      )
    case 'stage-not-found':
      return <NotFoundDialog label="Stage" kind="pipeline_stage" closeTo={boardUrl} />
  }
}

function DeleteProspectDialog({ id, name, boardUrl }: { id: number; name: string; boardUrl: string }) {
  return (
    <ConfirmDialog
      title={`Delete ${name}`}
      confirm="Delete Prospect"
      busyLabel="Deleting..."
      closeTo={boardUrl}
      action={boardUrl}
      fields={{ intent: 'delete', id: String(id) }}
    >
      Are you sure you want to delete this prospect? It is kept in the trash for 30 days.
    </ConfirmDialog>
  )
}

/** 'First', 'After Lead', …: the positions among the other stages. */
function positionChoices(stages: Stage[], ownId: number | null) {
  const others = stages.filter(({ id }) => id !== ownId)
  return [
    { value: '0', label: 'First' },
    ...others.map(({ name }, index) => ({ value: String(index + 1), label: `After ${name}` })),
  ]
}
