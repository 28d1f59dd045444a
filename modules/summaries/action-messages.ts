/** By the `intent` of the form. Source: part-2 §8. */
export const generateMessages = {
  generate: {
    done: { title: 'Summary Generation Started' },
    failed: { title: 'Summary Generation Failed', text: 'The summary could not be started. Please try again.' },
  },
}

export const sessionMessages = {
  ...generateMessages,
  consent: { done: 'Consent recorded', failed: 'The consent could not be recorded.' },
  withdraw: { done: 'Consent withdrawn', failed: 'The consent could not be withdrawn.' },
  upload: { done: 'Transcript added', failed: 'The transcript could not be added.' },
  paste: { done: 'Transcript added', failed: 'The transcript could not be added.' },
  searchAgain: { done: 'The recording is being looked for', failed: 'The recording could not be looked for.' },
  choose: { done: 'The recording is being fetched', failed: 'The recording could not be chosen.' },
  recording: { done: 'Recording added', failed: 'The recording could not be added.' },
  'discard-upload': { done: 'Upload discarded', failed: 'The upload could not be discarded. Please try again.' },
  'retry-recording': { done: 'Transcription started', failed: 'The transcription could not be started.' },
  'delete-recording': { done: 'Recording deleted', failed: 'The recording could not be deleted.' },
  'delete-transcript': { done: 'Transcript deleted', failed: 'The transcript could not be deleted.' },
  'restore-transcript': { done: 'Transcript restored', failed: 'The transcript could not be restored.' },
  approve: { done: 'Summary approved', failed: 'The summary could not be approved.' },
  unapprove: { done: 'The summary is a draft again', failed: 'The summary could not be changed.' },
  email: { done: 'The summary is on its way', failed: 'The summary could not be sent.' },
  share: { done: 'Marked as shared', failed: 'The summary could not be marked.' },
  unshare: { done: 'No longer shared', failed: 'The sharing could not be ended.' },
  'delete-summary': { done: 'Summary deleted', failed: 'The summary could not be deleted.' },
  'restore-summary': { done: 'Summary restored', failed: 'The summary could not be restored.' },
}
