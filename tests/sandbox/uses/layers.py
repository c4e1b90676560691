"""Layers of every kind, forward and backward."""

import torch
import torch.nn.functional as F
from torch import nn


def trained(module, *inputs):
    """One step of plain gradient descent; whether every parameter got a finite gradient."""
    output = module(*inputs)
    output = output[0] if isinstance(output, tuple) else output
    output.square().mean().backward()
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.sub_(0.1 * parameter.grad)
    return all(parameter.grad.isfinite().all() for parameter in module.parameters())


def conv1d():
    return trained(nn.Conv1d(3, 8, 3, padding=1), torch.randn(2, 3, 16))


def conv2d():
    layers = nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2)
    return trained(nn.Sequential(*layers), torch.randn(2, 3, 16, 16))


def conv2d_in_float32():
    return trained(nn.Conv2d(3, 8, 3).float(), torch.randn(2, 3, 16, 16, dtype=torch.float32))


def conv2d_in_bfloat16():
    return trained(nn.Conv2d(3, 8, 3).bfloat16(), torch.randn(2, 3, 16, 16, dtype=torch.bfloat16))


def conv_transpose2d():
    return trained(nn.ConvTranspose2d(3, 8, 3), torch.randn(2, 3, 8, 8))


def lstm():
    return trained(nn.LSTM(4, 8, num_layers=2, batch_first=True, bidirectional=True), torch.randn(2, 5, 4))


def lstm_in_float32_without_gradients():
    with torch.no_grad():
        return nn.LSTM(4, 8).float().eval()(torch.randn(5, 2, 4, dtype=torch.float32))[0].shape == (5, 2, 8)


def gru():
    return trained(nn.GRU(4, 8), torch.randn(5, 2, 4))


def embedding():
    return trained(nn.Embedding(10, 4), torch.randint(0, 10, (2, 5)))


def multihead_attention():
    x = torch.randn(2, 5, 8)
    return trained(nn.MultiheadAttention(8, 2, batch_first=True), x, x, x)


def transformer_encoder_layer():
    return trained(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), torch.randn(2, 5, 8))


def transformer_encoder_layer_fast_path():
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()
    with torch.inference_mode():
        return layer(torch.randn(2, 5, 8)).shape == (2, 5, 8)


def transformer():
    x = torch.randn(2, 5, 8)
    return trained(nn.Transformer(8, 2, 1, 1, 16, batch_first=True), x, x)


def scaled_dot_product_attention():
    q = torch.randn(2, 2, 5, 4, requires_grad=True)
    F.scaled_dot_product_attention(q, q, q, is_causal=True).sum().backward()
    return q.grad.isfinite().all().item()


def scaled_dot_product_attention_in_float32():
    q = torch.randn(2, 2, 64, 16, dtype=torch.float32, requires_grad=True)
    F.scaled_dot_product_attention(q, q, q, is_causal=True).sum().backward()
    return q.grad.isfinite().all().item()
