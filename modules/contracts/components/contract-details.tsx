import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { Mail } from 'lucide-react'
import { Button } from '#app/ui/components/button.tsx'
import { CopyButton } from '#app/ui/components/copy-button.tsx'
import { Card } from '#app/ui/components/page.tsx'
import { Link } from '#app/ui/navigation/link.tsx'
import type { ContractPage } from '../contract-loader.server.ts'
import { drawingHeight, drawingWidth } from '../drawing.ts'

/** The client, the dates and the link of a contract. */
export function Details(data: ContractPage) {
  const { id, clientId, clientName, source, sentAt, expiresAt, isOpen, link, canEmail, wasEmailed, verifyUrl } = data
  return (
    <Card title="Details">
      <dl className="grid gap-3 border-t border-line-soft p-5">
        <Fact label="Client">
          {clientId === null ? (
            clientName
          ) : (
            <Link className="link" to={`/clients/${clientId}`}>
              {clientName}
            </Link>
          )}
        </Fact>
        <Fact label="Source">{source}</Fact>
        {sentAt && <Fact label="Sent">{sentAt}</Fact>}
        {isOpen && <Fact label="To sign until">{expiresAt}</Fact>}
        {verifyUrl && (
          <Fact label="Verification">
            <a className="link" href={verifyUrl}>
              Page for anyone with the code
            </a>
          </Fact>
        )}
      </dl>
      {link && (
        <div className="grid gap-3 border-t border-line-soft p-5">
          <input className="input" readOnly value={link} aria-label="Link" />
          <div className="flex flex-wrap gap-2">
            <CopyButton text={link} />
            {canEmail && (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="intent" value="resend" />
                <input type="hidden" name="id" value={id} />
                <Button type="submit" icon={Mail}>
                  {wasEmailed ? 'Email New Link' : 'Email Link'}
                </Button>
              </Form>
            )}
          </div>
        </div>
      )}
    </Card>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt className="text-sm text-ink-3">{label}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
)

export function Signatures({ signatures }: ContractPage) {
  if (!signatures.length) return null
  return (
    <Card title="Signatures">
      <ul className="rows border-t border-line-soft" aria-label="Signatures">
        {signatures.map(({ party, name, drawing, at }) => (
          <li key={party} className="grid gap-1 px-5 py-4">
            <p className="text-sm text-ink-3">
              {party}, {at}
            </p>
            {drawing && (
              <svg
                viewBox={`0 0 ${drawingWidth} ${drawingHeight}`}
                className="w-48 text-ink"
                role="img"
                aria-label={`Drawn signature of ${name}`}
              >
                <path d={drawing} fill="none" stroke="currentColor" strokeWidth="4" />
              </svg>
            )}
            <p className="font-medium wrap-anywhere">{name}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function Trail({ trail }: ContractPage) {
  if (!trail.length) return null
  return (
    <Card title="Audit Trail">
      <ol className="rows border-t border-line-soft" aria-label="Audit trail">
        {trail.map(({ id, what, at, by, details }) => (
          <li key={id} className="px-5 py-3">
            <p className="font-medium">{what}</p>
            <p className="text-sm text-ink-3 wrap-anywhere">
              {at}, {by}
            </p>
            {details.map((text) => (
              <p key={text} className="text-sm text-ink-3 wrap-anywhere">
                {text}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </Card>
  )
}
