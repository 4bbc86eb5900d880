// Texts on why a pixel is on.

export const COLUMNS = 28;                        // of a digit, and its lines
export const KINDS = {
  'sum-product': ['Sum-product',
    'A message averages over both values of its sender. The sigmoid of the sum is the pixel’s marginal probability.'],
  'max-product': ['Max-product',
    'A message uses only the better value of its sender, to find the best image and hidden units together.'],
  'mixed-product': ['Mixed-product',
    'Hidden units average over both values, pixels use the better one, for the best image summed over hidden units.'],
  'mean field': ['Mean field',
    'There are no messages: each hidden unit adds its probability times its weight.'],
};
export const BEFORE =
  'No pixel has sent a message yet: each hidden unit uses its bias and the damaged image alone, and sends each pixel '
  + 'a message for or against being on.';
export const AFTER =
  'Each hidden unit has received the messages of all pixels from iteration {}, and sends each pixel a message for or '
  + 'against being on.';
export const LEFT =
  'Each hidden unit is on with its probability from the previous iteration.';
