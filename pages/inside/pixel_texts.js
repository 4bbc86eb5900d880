// What is said of why a pixel is on.

export const COLUMNS = 28;                        // of a digit, and its lines
export const KINDS = {
  'sum-product': ['Sum-product',
    'A message weighs both values of its sender by their probability. The sigmoid of the sum is the probability '
    + 'of the pixel: its marginal.'],
  'max-product': ['Max-product',
    'A message uses only the better value of its sender: for the best image and hidden units together.'],
  'mixed-product': ['Mixed-product',
    'Hidden units weigh both their values, a pixel uses the better one: for the best image, whatever the hidden '
    + 'units are.'],
  'mean field': ['Mean field',
    'No messages are passed: each hidden unit adds its probability times its weight.'],
};
export const BEFORE =
  'No pixel has spoken yet: each hidden unit goes by its bias and the damaged picture alone, and tells each pixel '
  + 'by how much it speaks for its being on, or against.';
export const AFTER =
  'Each hidden unit has heard what all pixels said in iteration {}, and tells each pixel by how much it speaks '
  + 'for its being on, or against.';
export const LEFT =
  'Each hidden unit is on with the probability that the iteration before has left.';
