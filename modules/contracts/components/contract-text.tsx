/** The text of a contract, line by line as it is signed. */
export const ContractText = ({ text, label = 'Contract' }: { text: string; label?: string }) => (
  <div
    role="document"
    aria-label={label}
    tabIndex={0}
    className="rounded-xl border border-line bg-surface p-5 whitespace-pre-wrap wrap-anywhere sm:p-8"
  >
    {text}
  </div>
)
